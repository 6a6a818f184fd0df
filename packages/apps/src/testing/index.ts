export * from './stage.ts'
export { type LocalPrograms, localPrograms } from './local-programs.ts'
export { bundle, bundleManifest, eventsOf, instancesOf, visitFront } from './bundles.ts'
