
# Where a thread goes on that the port keeps at word $arg0 of the memory, whether that is behind a call, and what is left of
# the call.
define beryl-kept
  set $beryl_psp = *($beryl_word + $arg0)
  set $beryl_pc = *($beryl_word + $beryl_psp / 4 + 6)
  set $beryl_called = *($beryl_half + $beryl_pc / 2 - 1) == 0xdf00
  set $beryl_call = *($beryl_word + $beryl_psp / 4)
end

# Whether the processor is in the kernel.
define beryl-mode
  set $beryl_inside = ($xpsr & 0x1ff) != 0
end

# The registers that the port keeps there, as those of the processor for a moment, in which nothing runs.
define beryl-borrow
  beryl-kept $arg0
  set $beryl_sp = $sp
  set $beryl_lr = $lr
  set $beryl_here = $pc
  set $beryl_r7 = $r7
  set $beryl_r11 = $r11
  set $r7 = *($beryl_word + $arg0 + 4)
  set $r11 = *($beryl_word + $arg0 + 8)
  set $lr = *($beryl_word + $beryl_psp / 4 + 5)
  set $pc = $beryl_pc
  set $sp = $beryl_psp + 32
end

define beryl-give-back
  set $sp = $beryl_sp
  set $pc = $beryl_here
  set $lr = $beryl_lr
  set $r7 = $beryl_r7
  set $r11 = $beryl_r11
end
