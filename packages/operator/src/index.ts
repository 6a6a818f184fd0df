export {
  addPlatformAdmin,
  listPlatformAdmins,
  removePlatformAdmin,
  setPlatformAdmin,
} from './admins/admins.ts'
export { getMaintenance, setMaintenance } from './maintenance/maintenance.ts'
export { listPlatformAudit } from './audit/list.ts'
