export {
  type ConnectorAction,
  type Decision,
  decisions,
  type JsonObject,
  type Reason,
  reasons,
  type Risk,
  risks,
} from './shapes.ts'
