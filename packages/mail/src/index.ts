export { mailEnv } from './env.ts'
export { openMail } from './open.ts'
export type { Mail, MailTransport } from './transport.ts'
