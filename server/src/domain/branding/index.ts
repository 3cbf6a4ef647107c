// Rules for a realm's look: colours with WCAG contrast, and the check of its custom style sheet.
// Specification part 2 "Realm settings (branding part)", contract 2.109, security rule S47.
// Called by the realm settings when they are written and by pages when the theme is rendered.

export {
  contrastRatio,
  formatHexColor,
  isHexColor,
  mixColors,
  parseHexColor,
  pickOnColor,
  readableOn,
  relativeLuminance,
  type Rgb,
  shadeAway,
  textContrast,
} from './colors.ts'
export { checkCustomCss, type CustomCssResult, customCssMaxBytes } from './custom-css.ts'
