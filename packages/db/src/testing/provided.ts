declare module 'vitest' {
  export interface ProvidedContext {
    test_postgres: {
      /** A server, and a user on it that may create databases. */
      readonly admin_url: string
      /** The migrated database to clone. */
      readonly template: string
    }
  }
}

export {}
