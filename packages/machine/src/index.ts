export { type EventOf, machine, type Machine, type StateOf } from './machine.ts'
