/** The processors that a filter can be made for, by Node's names. */
export type Processor = 'x64' | 'arm64'

/** A system call's number on each; null where that processor has no such call. */
export type CallNumbers = Readonly<Record<Processor, number | null>>

const both = (number: number) => ({ x64: number, arm64: number })
const on = <T extends number | null>(x64: number, arm64: T) => ({ x64, arm64 })

/**
 * Calls that no agent's program needs and that reach deep into the kernel: those that Docker's profile keeps for
 * capabilities which no sandbox has, and what Flatpak's forbids beside them. `ptrace` is not among them: debuggers need
 * it, it reaches the sandbox's own processes alone, and the kernel judges a traced call after its tracer changed it.
 */
export const forbidden: Readonly<Record<string, CallNumbers>> = {
  _sysctl: on(156, null),
  acct: on(163, 89),
  add_key: on(248, 217),
  bpf: on(321, 280),
  chroot: on(161, 51),
  clock_settime: on(227, 112),
  delete_module: on(176, 106),
  fanotify_init: on(300, 262),
  finit_module: on(313, 273),
  get_mempolicy: on(239, 236),
  init_module: on(175, 105),
  io_uring_enter: both(426),
  io_uring_register: both(427),
  io_uring_setup: both(425),
  ioperm: on(173, null),
  iopl: on(172, null),
  kexec_file_load: on(320, 294),
  kexec_load: on(246, 104),
  keyctl: on(250, 219),
  lookup_dcookie: on(212, 18),
  mbind: on(237, 235),
  migrate_pages: on(256, 238),
  modify_ldt: on(154, null),
  mount: on(165, 40),
  move_pages: on(279, 239),
  nfsservctl: on(180, 42),
  open_by_handle_at: on(304, 265),
  perf_event_open: on(298, 241),
  pivot_root: on(155, 41),
  quotactl: on(179, 60),
  quotactl_fd: both(443),
  reboot: on(169, 142),
  request_key: on(249, 218),
  set_mempolicy: on(238, 237),
  set_mempolicy_home_node: both(450),
  setdomainname: on(171, 162),
  sethostname: on(170, 161),
  setns: on(308, 268),
  settimeofday: on(164, 170),
  swapoff: on(168, 225),
  swapon: on(167, 224),
  sysfs: on(139, null),
  syslog: on(103, 116),
  umount2: on(166, 39),
  uselib: on(134, null),
  userfaultfd: on(323, 282),
  vhangup: on(153, 58),
}

/**
 * Calls that answer as on a kernel without them, so that libraries take their older way. The arguments of `clone3` lie
 * in memory, where a filter cannot look.
 */
export const missing: Readonly<Record<string, CallNumbers>> = {
  clone3: both(435),
  fsconfig: both(431),
  fsmount: both(432),
  fsopen: both(430),
  fspick: both(433),
  mount_setattr: both(442),
  move_mount: both(429),
  open_tree: both(428),
  open_tree_attr: both(467),
}

/** Calls whose arguments decide. */
export const judged = {
  clone: on(56, 220),
  ioctl: on(16, 29),
  personality: on(135, 92),
  socket: on(41, 198),
  unshare: on(272, 97),
} as const
