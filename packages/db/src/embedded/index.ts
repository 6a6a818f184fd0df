export { type ReachedPostgres, reachEmbeddedPostgres } from './reach.ts'
export {
  type EmbeddedLog,
  type EmbeddedOptions,
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from './start.ts'
