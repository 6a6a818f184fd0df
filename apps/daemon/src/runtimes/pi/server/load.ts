import { join } from 'node:path'
import { loadProgram } from '../../../shared/code-cache.ts'

loadProgram(join(import.meta.dirname, 'start.js'))
