/** The clock of the platform needs this alone: it carries no library of the sign-in. */
export { sweepOAuth } from './oauth/sweep.ts'
