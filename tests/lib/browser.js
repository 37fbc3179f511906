/** A headless browser for tests of pages. */
import { existsSync } from 'node:fs';
import AxeBuilder from '@axe-core/playwright';
import { chromium } from 'playwright-core';

const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
];
const MAC = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';
const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export const VIEWS = {
  light: { colorScheme: 'light', viewport: { width: 1280, height: 900 } },
  dark: { colorScheme: 'dark', viewport: { width: 1280, height: 900 } },
  phone: { colorScheme: 'light', viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
};

/** Starts the system's Chromium. */
export function launch() {
  const executablePath = [process.env.CHROMIUM, ...PLACES, MAC].find((path) => path && existsSync(path));
  if (!executablePath) throw new Error('no Chromium: run scripts/setup.sh --tests, or name one in CHROMIUM');
  return chromium.launch({ executablePath, args: ARGS });
}

/**
 * Opens a file and waits for its script. What goes wrong on the page is collected in `faults`: console output, errors, and every
 * request that is not for the file itself.
 * @param {object} view see VIEWS
 * @returns {Promise<{page, faults: string[]}>}
 */
export async function open(browser, file, view = VIEWS.light) {
  const page = await (await browser.newContext(view)).newPage();
  const faults = [];
  page.on('console', (message) => faults.push(`console: ${message.text()}`));
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
  page.on('request', (request) => {
    if (!/^(file|data|blob):/.test(request.url())) faults.push(`request: ${request.url()}`);
  });
  await page.goto(`file://${file}`);
  await page.waitForSelector('html[data-ready]');
  return { page, faults };
}

/**
 * Rules that the page breaks, or what lies within a selector, with the first place of each.
 * @returns {Promise<string[]>}
 */
export async function axe(page, within = 'html') {
  const { violations } = await new AxeBuilder({ page })
    .options({ resultTypes: ['violations'] })
    .include(within)
    .analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`);
}
