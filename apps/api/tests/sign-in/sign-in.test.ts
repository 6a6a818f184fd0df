import { afterAll, beforeAll, beforeEach } from 'vitest'
import { close, nextCaller, start } from './world.ts'

// One platform for all of it; each part has a file of its own.
beforeAll(start)
beforeEach(nextCaller)
afterAll(close)

import './signing-up.ts'
import './strangers.ts'
import './codes.ts'
import './sign-ins.ts'
import './browsers.ts'
import './passwords.ts'
import './two-factor.ts'
import './traces.ts'
