import { join } from 'node:path'
import { loadProgram } from '../shared/code-cache.ts'

/** The `main.js` of every runtime's own program. */
loadProgram(join(import.meta.dirname, 'start.js'))
