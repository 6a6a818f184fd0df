export { looksHashed } from './hashed-name.ts'
export { type Labelled, labelsOf, urlOf } from './label.ts'
export { type KnownViewer, mayView, modeOf, type Viewer } from './may-view.ts'
export {
  type AppConfig,
  type AppEntry,
  type AppProvider,
  type ConfigIssue,
  type ResolvedConfig,
  resolveConfig,
} from './resolve-config.ts'
export * from './states.ts'
