package io.rpcboot.spring.security;

import java.util.concurrent.CompletableFuture;

import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Service that tells who the caller is on the threads of a call. */
public interface Whereabouts {

	String pool();

	String virtual();

	String loop();

	CompletableFuture<String> callback();

	CompletableFuture<String> wrapped();

	CompletableFuture<String> deniedLater();

	/** Tells it in an operator, after the method has returned. */
	Flux<String> streamed();

	/** Tells it in an operator that has no thread locals. */
	Mono<String> reactive();

	String logged();

	String scoped();

	String own(String owner);

	String secured();

	/** Service that is called by the other one. */
	interface Echo {

		CompletableFuture<String> echo(String text);

	}

}
