import { answer, encode, type Instruction, load, unless, when } from './bpf.ts'
import { type CallNumbers, forbidden, judged, missing, type Processor } from './denied-calls.ts'

const allow = answer(0x7fff0000)
const refuseWith = (errno: number): Instruction => answer(0x00050000 | errno)
const notPermitted = refuseWith(1)
const notImplemented = refuseWith(38)
const familyNotSupported = refuseWith(97)

const architectures: Readonly<Record<Processor, number>> = { x64: 0xc000003e, arm64: 0xc00000b7 }

/** `struct seccomp_data`: of an argument the lower half, which is all that the kernel takes of the ones judged here. */
const place = { call: 0, architecture: 4, argument: (index: number) => 16 + 8 * index }

/** From here on are the calls of x32, a second way to everything on x64; -1 lies there as well. */
const x32Calls = 0x40000000

/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and NEWNET. */
const newNamespaces = 0x7e020000
/** CLONE_NEWTIME, which `clone` takes for a part of a signal's number. */
const newTime = 0x80

/** Commands of ioctl that put words into another process's terminal. */
const terminalCommands = { TIOCSTI: 0x5412, TIOCLINUX: 0x541c }

/**
 * Linux as it is, Linux of 32 bits, the old names of releases, addresses that are not random (debuggers ask for them),
 * and the question which one there is.
 */
const harmlessPersonalities = [0x0, 0x8, 0x20000, 0x20008, 0x40000, 0xffffffff]

/** AF_UNSPEC, AF_UNIX, AF_INET, AF_INET6 and AF_NETLINK. Of the others, AF_VSOCK passes by the network namespace. */
const socketFamilies = [0, 1, 2, 10, 16]

export function processorOf(name: string): Processor | null {
  return name === 'x64' || name === 'arm64' ? name : null
}

/** The filter of system calls that every process of a sandbox runs under, as bubblewrap takes it. */
export function seccompFilter(processor: Processor): Buffer {
  const onCall = (numbers: CallNumbers, then: readonly Instruction[]) => {
    const number = numbers[processor]
    return number === null ? [] : when('equals', number, then)
  }
  return encode([
    load(place.architecture),
    ...unless('equals', architectures[processor], [notImplemented]),
    load(place.call),
    ...when('atLeast', x32Calls, [notImplemented]),
    ...Object.values(missing).flatMap((numbers) => onCall(numbers, [notImplemented])),
    ...Object.values(forbidden).flatMap((numbers) => onCall(numbers, [notPermitted])),
    ...onCall(judged.clone, [
      load(place.argument(0)),
      ...when('hasBits', newNamespaces, [notPermitted]),
      allow,
    ]),
    ...onCall(judged.unshare, [
      load(place.argument(0)),
      ...when('hasBits', newNamespaces | newTime, [notPermitted]),
      allow,
    ]),
    ...onCall(judged.ioctl, [
      load(place.argument(1)),
      ...Object.values(terminalCommands).flatMap((command) => when('equals', command, [notPermitted])),
      allow,
    ]),
    ...onCall(judged.personality, [
      load(place.argument(0)),
      ...harmlessPersonalities.flatMap((kind) => when('equals', kind, [allow])),
      notPermitted,
    ]),
    ...onCall(judged.socket, [
      load(place.argument(0)),
      ...socketFamilies.flatMap((family) => when('equals', family, [allow])),
      familyNotSupported,
    ]),
    allow,
  ])
}
