package io.rpcboot.spring.serialization;

import java.util.List;

import io.rpcboot.serialization.Delegate;
import io.rpcboot.serialization.PathException;
import org.jspecify.annotations.Nullable;

import org.springframework.data.domain.Page;
import org.springframework.data.domain.PageImpl;
import org.springframework.data.domain.PageRequest;
import org.springframework.data.domain.Pageable;
import org.springframework.data.domain.Slice;
import org.springframework.data.domain.SliceImpl;
import org.springframework.data.domain.Sort;

/**
 * Delegates for types of Spring Data. A {@link PageImpl} arrives for a page, a
 * {@link SliceImpl} for a slice that is no page, a {@link PageRequest} for a paged
 * pageable. A value that would arrive changed is rejected.
 *
 * @since 0.1.0
 */
public final class DataTypes {

	private DataTypes() {
	}

	static List<Delegate<?, ?>> delegates() {
		return List.of(
				new Delegate<Page<?>, PartValue<?>>(Page.class, PartValue.class, DataTypes::part, DataTypes::page),
				new Delegate<Slice<?>, PartValue<?>>(Slice.class, PartValue.class, DataTypes::part, DataTypes::slice),
				new Delegate<Pageable, PageableValue>(Pageable.class, PageableValue.class, DataTypes::pageable,
						DataTypes::pageable),
				new Delegate<Sort, SortValue>(Sort.class, SortValue.class, DataTypes::sort, DataTypes::sort));
	}

	private static <T> PartValue<T> part(Slice<T> slice) {
		PartValue<T> value = new PartValue<>(slice.getContent(), slice.getPageable(), slice.hasNext(),
				(slice instanceof Page<T> page) ? page.getTotalElements() : null);
		requireSame(slice, slice(value));
		return value;
	}

	/**
	 * Rejects a slice that would arrive changed, such as a page whose total contradicts
	 * its last page, which {@link PageImpl} corrects.
	 */
	private static void requireSame(Slice<?> slice, Slice<?> arrived) {
		boolean isSame = slice.getNumber() == arrived.getNumber() && slice.getSize() == arrived.getSize()
				&& slice.hasNext() == arrived.hasNext() && total(slice) == total(arrived);
		if (!isSame) {
			throw new PathException(
					"a %s with %s (expected: %s, because a %s arrives)".formatted(slice.getClass().getTypeName(),
							numbers(slice), numbers(arrived), arrived.getClass().getSimpleName()));
		}
	}

	/** Returns the total of a page, -1 for another slice. */
	private static long total(Slice<?> slice) {
		return (slice instanceof Page<?> page) ? page.getTotalElements() : -1;
	}

	private static String numbers(Slice<?> slice) {
		String total = (slice instanceof Page<?> page) ? ", total " + page.getTotalElements() : "";
		return "number %d, size %d%s, hasNext %s".formatted(slice.getNumber(), slice.getSize(), total, slice.hasNext());
	}

	private static <T> Page<T> page(PartValue<T> value) {
		if (value.total() == null) {
			throw new PathException("a slice (expected: a page, with the number of all elements)");
		}
		return new PageImpl<>(value.content(), value.pageable(), value.total());
	}

	private static <T> Slice<T> slice(PartValue<T> value) {
		return (value.total() != null) ? page(value)
				: new SliceImpl<>(value.content(), value.pageable(), value.hasNext());
	}

	private static PageableValue pageable(Pageable pageable) {
		if (pageable.isUnpaged()) {
			return new PageableValue(0, 0, pageable.getSort());
		}
		long offset = (long) pageable.getPageNumber() * pageable.getPageSize();
		if (pageable.getOffset() != offset) {
			throw new PathException("a %s of offset %d (expected: %d, because a PageRequest arrives)"
				.formatted(pageable.getClass().getTypeName(), pageable.getOffset(), offset));
		}
		return new PageableValue(pageable.getPageNumber(), pageable.getPageSize(), pageable.getSort());
	}

	private static Pageable pageable(PageableValue value) {
		return (value.size() == 0) ? Pageable.unpaged(value.sort())
				: PageRequest.of(value.page(), value.size(), value.sort());
	}

	private static SortValue sort(Sort sort) {
		return new SortValue(sort.stream().map(DataTypes::order).toList());
	}

	private static OrderValue order(Sort.Order order) {
		if (order.getClass() != Sort.Order.class) {
			throw new PathException(
					"a %s (expected: exactly a Sort.Order, which arrives)".formatted(order.getClass().getTypeName()));
		}
		return new OrderValue(order.getDirection(), order.getProperty(), order.isIgnoreCase(), order.getNullHandling());
	}

	private static Sort sort(SortValue value) {
		return Sort.by(value.orders()
			.stream()
			.map((each) -> new Sort.Order(each.direction(), each.property(), each.ignoreCase(), each.nullHandling()))
			.toList());
	}

	/**
	 * Surrogate of a {@link Page} or a {@link Slice}.
	 *
	 * @param <T> the type of the elements
	 * @param content the elements
	 * @param pageable the request
	 * @param hasNext true if another slice follows
	 * @param total the number of all elements, null for a slice that is not a page
	 */
	public record PartValue<T>(List<T> content, Pageable pageable, boolean hasNext, @Nullable Long total) {
	}

	/**
	 * Surrogate of a {@link Pageable}.
	 *
	 * @param page the number of the page, from 0
	 * @param size the most elements of a page, 0 if unpaged
	 * @param sort the order
	 */
	public record PageableValue(int page, int size, Sort sort) {
	}

	/**
	 * Surrogate of a {@link Sort}.
	 *
	 * @param orders in order of precedence
	 */
	public record SortValue(List<OrderValue> orders) {
	}

	/**
	 * Surrogate of a {@link Sort.Order}.
	 *
	 * @param direction the direction
	 * @param property the path of the property
	 * @param ignoreCase true to ignore the case of texts
	 * @param nullHandling the place of null
	 */
	public record OrderValue(Sort.Direction direction, String property, boolean ignoreCase,
			Sort.NullHandling nullHandling) {
	}

}
