// The pages on which people look after their own account: typed properties in, a complete HTML document out.
// Contract 4.5b, 4.32, 2.49, 2.55; WCAG 2.2 AA; they work without script.
// Called by protocols/account/pages.
export { type AllowedApp, renderAppsPage, renderRemoveAppStep } from './apps.tsx'
export { type OwnDevice, renderRemoveDeviceStep } from './devices.tsx'
export {
  type AccountFrame,
  type AccountPageName,
  accountHref,
  type NoticeKey,
  readNotice,
  stepHref,
} from './frame.tsx'
export { type Attention, renderOverviewPage } from './overview.tsx'
export { type Profile, renderContactStep, renderPersonalPage } from './personal.tsx'
export { type Place, renderPlacesPage } from './places.tsx'
export {
  type Happening,
  renderDeletedPage,
  renderDeleteStep,
  renderPrivacyPage,
} from './privacy.tsx'
export { renderReauthPage } from './reauth.tsx'
export { type Factor, renderSecurityPage } from './security.tsx'
export {
  type Addition,
  renderAddStep,
  renderPasswordStep,
  renderRemoveStep,
  renderRenameStep,
} from './security-steps.tsx'
