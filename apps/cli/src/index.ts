export { saveLogin, type SaveLoginInput } from './config/save-login.ts'
