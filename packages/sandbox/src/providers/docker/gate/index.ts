export { harnessStore } from '../../../harness/store/places.ts'
export { dockerRoot } from '../paths.ts'
export { dockerSettings } from '../settings.ts'
export { openEngineGate } from './engine-gate.ts'
