import { afterAll, beforeAll } from 'vitest'
import { platform, start } from './sandbox/world.ts'

// One platform for all of it; each part has a file of its own.
beforeAll(start)
afterAll(() => platform?.stop())

import './sandbox/secrets.ts'
import './sandbox/workspace.ts'
import './sandbox/pushes.ts'
import './sandbox/agentrt.ts'
