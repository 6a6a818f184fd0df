export interface UserCredentialTable {
  user_id: string
  /** An argon2id text; null for a person who never set a password. */
  password_hash: string | null
  /** The last time that the person was found to read the mail of their address. */
  email_verified_at: Date | null
  updated_at: Date
}

export interface UserTotpTable {
  user_id: string
  sealed_data_key: string
  sealed_secret: string
  /** Null until a first code proved that the secret arrived. */
  confirmed_at: Date | null
  /** The time step of the last code that was taken: neither it nor an earlier one is taken again. */
  last_step: number | null
  created_at: Date
}

export interface UserRecoveryCodeTable {
  code_hash: Buffer
  user_id: string
  used_at: Date | null
}

/** A person as a provider of sign-ins knows them. */
export interface UserIdentityTable {
  issuer: string
  subject: string
  user_id: string
  created_at: Date
}
