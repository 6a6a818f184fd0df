export { backOffMs } from './back-off.ts'
export { pauseAfterFailures } from './pause-after-failures.ts'
export { orAborted, untilAborted } from './until-aborted.ts'
export { settled, within } from './within.ts'
