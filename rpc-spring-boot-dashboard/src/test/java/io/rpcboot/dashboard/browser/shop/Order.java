package io.rpcboot.dashboard.browser.shop;

/**
 * What somebody wants.
 *
 * @param customer who
 * @param article what
 * @param amount how many
 */
public record Order(String customer, String article, int amount) {
}
