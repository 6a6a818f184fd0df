/** The part of a pino logger that is used here. */
export interface EmbeddedLog {
  debug(details: object, message: string): void
  info(details: object, message: string): void
  warn(details: object, message: string): void
  error(details: object, message: string): void
}
