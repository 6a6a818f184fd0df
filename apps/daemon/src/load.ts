import { join } from 'node:path'
import { loadProgram } from './shared/code-cache.ts'

// What a sandbox runs is not written in here, so that it can be loaded with what V8 made of it before.
loadProgram(join(import.meta.dirname, 'svc-agent-start.js'))
