export type { EventSettings, EventWorkerContext } from './context.ts'
export { deliverEvents } from './deliver.ts'
export { publishEvents } from './publish.ts'
export { forgetEvents, sweepEvents } from './sweep.ts'
