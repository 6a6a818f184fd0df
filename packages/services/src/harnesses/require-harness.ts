import type { BaseContext } from '@svc/context'
import { type Db, features, harnessLicences, personalSecrets, secrets } from '@svc/db'
