package io.rpcboot.samples.quickstart;

/**
 * Something that begins and ends, again and again.
 *
 * @param begin lets it begin
 * @param end lets it end
 */
record Scene(Runnable begin, Runnable end) {

}
