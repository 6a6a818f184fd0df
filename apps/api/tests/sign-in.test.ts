import { afterAll, beforeAll, beforeEach } from 'vitest'
import { close, nextCaller, start } from './sign-in/world.ts'

// One platform for all of it; each part has a file of its own.
beforeAll(start)
beforeEach(nextCaller)
afterAll(close)

import './sign-in/signing-up.ts'
import './sign-in/strangers.ts'
import './sign-in/codes.ts'
import './sign-in/sign-ins.ts'
import './sign-in/passwords.ts'
import './sign-in/two-factor.ts'
import './sign-in/traces.ts'
