export const in_transaction = false

/** No two channels have one address at the deployment's domain, also after one was disconnected. */
export const statements: readonly string[] = [
  `create unique index concurrently if not exists project_channels_mail_local on project_channels ((settings ->> 'local'))
    where platform = 'email' and transport = 'lmtp'`,
]
