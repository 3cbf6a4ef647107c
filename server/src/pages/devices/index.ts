// Pages about devices of people beside the sign-in: what an enrollment address says to somebody who opens it in a browser.
// Contract 4.33; S47; WCAG 2.2 AA.
// Called by protocols/device.

export { type EnrollPageProps, renderEnrollPage } from './enroll.tsx'
