// One server and one browser for the tests of a file.
import { after, before } from 'node:test';
import { startBrowser, startServer } from './browser.mjs';
import { openPage } from './page.mjs';

/** `session.open(path, options)` gives a page; what a test opens is closed after all tests. */
export function useBrowser(options) {
  const session = {};
  before(async () => {
    session.server = await startServer();
    session.browser = await startBrowser(options);
    session.open = (path = '', pageOptions) =>
      openPage(session.browser, session.server.address + path, pageOptions);
  });
  after(async () => {
    await session.browser?.close();
    await session.server?.close();
  });
  return session;
}
