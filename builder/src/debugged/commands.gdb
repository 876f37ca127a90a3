
define beryl-time
  set $beryl_ticks = *($beryl_word + @COUNT@ / 4)
  if @DOWN@ && $beryl_ticks != 0
    set $beryl_ticks = 0xffffffff - $beryl_ticks
  end
  set $beryl_us = $beryl_ticks / @TICKS@
  printf "%u.%03u ms\n", $beryl_us / 1000, $beryl_us % 1000
end
document beryl-time
The virtual time, by the low word of the board's clock: it begins anew after 2^32 ticks.
end

define beryl-console
  shell cat '@FOLDER@/console.txt'
end
document beryl-console
What was printed so far.
end

define beryl-in
@CALLS@end

# What the port keeps of threads lies somewhere in the kernel's memory: where a word for each, in this distance, points
# into its stack.
define beryl-find
  set $beryl_kept = 0
  set $beryl_at = @FIRST@ / 4
  while $beryl_kept == 0 && $beryl_at < @LAST@ / 4
    if @ALL@
      set $beryl_kept = $beryl_at
    end
    set $beryl_at = $beryl_at + 1
  end
end

define beryl-row
  beryl-kept $beryl_kept+@CONTEXT@/4*$arg0
  set $beryl_state = 0
  if $beryl_pc == $arg3
    set $beryl_state = 1
  end
  if $beryl_called
    set $beryl_state = 2
  end
  if $beryl_sp >= $arg1 && $beryl_sp <= $arg2 && !$beryl_inside
    set $beryl_state = 3
    set $beryl_pc = $beryl_here
  end
  if $beryl_state == 0
    printf "preempted"
  end
  if $beryl_state == 1
    printf "hasn't begun"
  end
  if $beryl_state == 2
    beryl-in $beryl_call
  end
  if $beryl_state == 3
    printf "runs"
  end
  printf "\n       "
  info line *$beryl_pc
end

define beryl-threads
  beryl-find
  beryl-mode
  set $beryl_sp = $sp
  set $beryl_here = $pc
  if $beryl_kept == 0
    printf "threads are there once the kernel has begun\n"
  else
@ROWS@  end
  if $beryl_inside
    printf "the processor is in the kernel: who called it is shown as it was before\n"
  end
end
document beryl-threads
All threads: number, name, band and place there, what each is doing, and where it goes on.
end

define beryl-backtrace
  beryl-find
  if $beryl_kept == 0 || $arg0 < 0 || $arg0 >= @THREADS@
    printf "name a thread by its number in beryl-threads\n"
  else
    beryl-borrow $beryl_kept+@CONTEXT@/4*$arg0
    backtrace
    beryl-give-back
  end
end
document beryl-backtrace
The calls of a thread that doesn't run, by its number in beryl-threads. Of the one that runs: backtrace.
end

define beryl-help
  printf "beryl-threads        all threads: what each is doing, and where it goes on\n"
  printf "beryl-backtrace N    the calls of one that doesn't run\n"
  printf "beryl-time           the virtual time\n"
  printf "beryl-console        what was printed so far\n"
  printf "break *$at_NAME      where a native function begins; break FILE:LINE for any line\n"
end
document beryl-help
What there is besides gdb's own words.
end
