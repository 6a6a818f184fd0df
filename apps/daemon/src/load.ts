import { join } from 'node:path'
import { loadProgram } from './shared/code-cache.ts'

// The sandbox's program is a file of its own, so that it can be loaded with the code cache that V8 made of it before.
loadProgram(join(import.meta.dirname, 'svc-agent-start.js'))
