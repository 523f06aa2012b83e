package reactor.core.publisher;

/** Has the name of Reactor's, which the engine knows by name alone. */
public abstract class Flux<T> {

}
