import { afterAll, beforeAll } from 'vitest'
import { platform, start } from './world.ts'

// One platform for all of it; each part has a file of its own.
beforeAll(start)
afterAll(() => platform.close())

import './discovery.ts'
import './registered-apps.ts'
import './apps-of-a-person.ts'
import './refusals.ts'
import './pages.ts'
import './dashboard.ts'
import './people.ts'
import './processes.ts'
