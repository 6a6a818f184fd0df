/** The entitlements that a plan may hold, by the names of the document. */
export const entitlements = ['sso', 'scim', 'rbac', 'auditAccess', 'branding'] as const
export type Entitlement = (typeof entitlements)[number]
