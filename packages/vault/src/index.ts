export type { DataKey } from './data-key.ts'
export { derivedKey } from './derived-key.ts'
export { createKeySealer, isSealerKeyId, type KeySealer } from './key-sealer.ts'
export { keyIdPattern, parseMasterKeys } from './key-ring.ts'
export {
  loadMasterKeys,
  type MasterKeys,
  nameMasterKeys,
  parseMasterKey,
  readMasterKey,
} from './master-key.ts'
export { type SecretEntry, secretsRevision } from './revision.ts'
export { tokenOf } from './token-of.ts'
export { VaultError } from './sealed-text.ts'
export { createVault, type Vault, type VaultOptions } from './vault.ts'
