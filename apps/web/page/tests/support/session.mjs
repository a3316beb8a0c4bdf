// One server and one browser for the tests of a file.
import { after, afterEach, before } from 'node:test';
import { startBrowser, startServer } from './browser.mjs';
import { assertNoProblems, openPage } from './page.mjs';

/** `session.open(path, options)` gives a page; what a test opens is closed after all tests. After each
 *  test the console of its pages must have been silent, apart from what `page.expects` (patterns) says. */
export function useBrowser(options) {
  const session = {};
  let opened = [];
  before(async () => {
    session.server = await startServer();
    session.browser = await startBrowser(options);
    session.open = async (path = '', pageOptions) => {
      const page = await openPage(session.browser, session.server.address + path, pageOptions);
      opened.push(page);
      return page;
    };
  });
  afterEach(() => {
    const pages = opened;
    opened = [];
    pages.forEach(assertNoProblems);
  });
  after(async () => {
    await session.browser?.close();
    await session.server?.close();
  });
  return session;
}
