
# Where a thread goes on that the port keeps at word $arg0 of the memory, whether that is behind a call, and what is left of
# the call. Instructions begin at any half word.
define beryl-kept
  set $beryl_pc = *($beryl_word + $arg0)
  set $beryl_called = *($beryl_half + $beryl_pc / 2 - 2) == 0x73 && *($beryl_half + $beryl_pc / 2 - 1) == 0
  set $beryl_call = *($beryl_word + $arg0 + 10)
end

# Whether the processor is in the kernel.
define beryl-mode
  set $beryl_inside = $priv != 0
end

# The registers that the port keeps there, as those of the processor for a moment, in which nothing runs.
define beryl-borrow
  beryl-kept $arg0
  set $beryl_sp = $sp
  set $beryl_ra = $ra
  set $beryl_here = $pc
  set $beryl_fp = $fp
  set $ra = *($beryl_word + $arg0 + 1)
  set $sp = *($beryl_word + $arg0 + 2)
  set $fp = *($beryl_word + $arg0 + 8)
  set $pc = $beryl_pc
end

define beryl-give-back
  set $sp = $beryl_sp
  set $pc = $beryl_here
  set $ra = $beryl_ra
  set $fp = $beryl_fp
end
