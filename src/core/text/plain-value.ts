/** Words of letters only, each in one spelling: `github`, `eu-west`, `Europe/Berlin`. */
const WORDS = /^(?:[A-Z]?[a-z]{1,20}|[A-Z]{1,20})(?:[-_./:@](?:[A-Z]?[a-z]{1,20}|[A-Z]{1,20}))*$/;
/** Numbers, versions, sizes and times: `3000`, `1.24.0-rc.2`, `30s`. */
const NUMBER = /^v?\d{1,9}(?:\.\d{1,9}){0,4}(?:-?[a-z]{1,6}(?:\.\d{1,4})?)?$/;
/** `en_US.UTF-8`, `C.UTF-8`, `eu-central-1`. */
const LOCALE_OR_REGION = /^(?:[a-z]{2}_[A-Z]{2}(?:\.[A-Za-z]{2,6}-?\d{0,2})?|C\.UTF-?8|[a-z]{2}-[a-z]{4,12}-\d)$/;
/** The address of a server or an image without user, path and query: `https://api.example.com`, `ghcr.io/acme/app:1.2`. */
const ADDRESS =
  /^(?:https?:\/\/)?[a-z]{1,30}(?:[-.][a-z]{1,30}){0,6}(?::\d{1,5})?(?:\/[a-z]{1,30}(?:[-_.][a-z]{1,30}){0,4}){0,6}\/?(?::v?\d{1,5}(?:\.\d{1,5}){0,3})?$/;

/**
 * Returns whether a value is plainly a setting: words, a number or version, a locale or region, an address. Any text that mixes
 * letters and digits in one word, has spaces or other signs may be a secret.
 */
export function isPlainValue(value: string): boolean {
  return WORDS.test(value) || NUMBER.test(value) || LOCALE_OR_REGION.test(value) || ADDRESS.test(value);
}
