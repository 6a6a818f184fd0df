export {
  addPlatformAdmin,
  listPlatformAdmins,
  removePlatformAdmin,
  setPlatformAdmin,
} from './admins/admins.ts'
export { listPlatformAudit } from './audit/list.ts'
