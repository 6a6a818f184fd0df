/** The provider under which the session's model gateway is known to a runtime. */
export const gatewayProvider = 'svc'

/** The variable that holds the session's key for it: settings name it and never hold the key. */
export const gatewayKey = 'SVC_LLM_API_KEY'
