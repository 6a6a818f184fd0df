export * from './app-config.ts'
export { capDetails } from './cap-details.ts'
export {
  type Charge,
  chargesOf,
  hourlyMicros,
  marksCrossed,
  monthOf,
  msUntilSpent,
  nextMonth,
} from './cost.ts'
export { looksHashed } from './hashed-name.ts'
export { latencyBounds, latencyClass, percentile } from './latency.ts'
export { type Labelled, labelsOf, urlOf } from './label.ts'
export { type KnownViewer, mayView, modeOf, type Viewer } from './may-view.ts'
export {
  appDefaults,
  type ResolvedConfig,
  type ResolveInput,
  resolveConfig,
  shippedFolder,
  sourceFolder,
} from './resolve-config.ts'
export * from './states.ts'
export { type Unpaid, unpaidMessages } from './unpaid.ts'
