export {
  defaultConfigDir,
  defaultRuntime,
  type RuntimeName,
  runtimeNames,
  type RuntimeProgram,
  runtimePrograms,
} from './runtimes.ts'
