import { type ServiceError, statusOf } from '@svc/errors'

const errorSchema = 'urn:ietf:params:scim:api:messages:2.0:Error'

export const scimType = { 'Content-Type': 'application/scim+json' } as const

/** The shape of RFC 7644 section 3.12: its status is text, and `scimType` its word for the error. */
export function scimError(status: number, detail: string, type?: string): object {
  return {
    schemas: [errorSchema],
    status: String(status),
    ...(type === undefined ? {} : { scimType: type }),
    detail,
  }
}

export function scimRefusal({ code, message, details }: ServiceError): object {
  const { scimType: type } = details
  return scimError(statusOf(code), message, typeof type === 'string' ? type : undefined)
}
