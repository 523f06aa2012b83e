package jakarta.inject;

/**
 * The interface of jakarta.inject-api, which Spring knows by its name.
 *
 * @param <T> what it provides
 */
public interface Provider<T> {

	T get();

}
