package io.rpcboot.dashboard.browser;

import java.util.Locale;

import static org.assertj.core.api.Assertions.assertThat;

/** What people look at the page with. */
enum Screen {

	LIGHT(1440, "light"), DARK(1440, "dark"), NARROW(390, "light");

	private final int width;

	private final String colors;

	Screen(int width, String colors) {
		this.width = width;
		this.colors = colors;
	}

	String fileName() {
		return name().toLowerCase(Locale.ROOT);
	}

	void show(Browser browser) {
		browser.show(this.width, 900, this.colors);
	}

	/** Nobody is kept out, and nothing is wider than the screen. */
	void assertSound(Browser browser, String what) {
		assertThat(browser.barriers()).as(what).isEmpty();
		assertThat(browser.script("return document.documentElement.scrollWidth")).as(what).isEqualTo((long) this.width);
	}

}
