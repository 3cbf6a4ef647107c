// The applications that a person allowed something, is signed in to, or that may go on acting for them.
// Contract 4.32.
// Called by protocols/account.
export { Application, ApplicationQuery, listApplications } from './service.ts'
