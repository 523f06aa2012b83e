/**
 * A small shop: applications of Spring Boot that really call each other, so that there is
 * something to see on the page.
 */
@NullMarked
package io.rpcboot.dashboard.browser.shop;

import org.jspecify.annotations.NullMarked;
