import { afterAll, beforeAll } from 'vitest'
import { platform, start } from './oauth/world.ts'

// One platform for all of it; each part has a file of its own.
beforeAll(start)
afterAll(() => platform.close())

import './oauth/discovery.ts'
import './oauth/registered-apps.ts'
import './oauth/apps-of-a-person.ts'
import './oauth/refusals.ts'
import './oauth/pages.ts'
import './oauth/dashboard.ts'
import './oauth/people.ts'
import './oauth/processes.ts'
