import type { AuthType } from './auth-type.ts'

export const none: AuthType = { fields: () => [], prepare: (request) => request }
